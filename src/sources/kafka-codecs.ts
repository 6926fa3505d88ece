import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import kafkajs from 'kafkajs';

const { CompressionCodecs, CompressionTypes } = kafkajs; // Node does not see these names from outside

interface Codec {
  compress(encoder: { readonly buffer: Buffer }): Promise<Buffer>;
  decompress(bytes: Buffer): Promise<Buffer>;
}
interface Zstd {
  readonly Encoder: new (level: number) => { encode(bytes: Buffer): Promise<Buffer> };
  readonly Decoder: new () => { decode(bytes: Buffer): Promise<Buffer> };
}

const pack = promisify(gzip);
const unpack = promisify(gunzip);

/**
 * The client's own gzip packs at level 6, which costs more than all else that a hop does. Level 1 takes a fifth of the time
 * and makes rows of text a fifth larger.
 */
const fastGzip: Codec = {
  compress: ({ buffer }) => pack(buffer, { level: 1, chunkSize: 2 ** 18 }),
  decompress: (bytes) => unpack(bytes, { chunkSize: 2 ** 18 }),
};

/** Packages that read what other producers may have packed; gzip needs none. None is needed. */
const codecs = [
  {
    type: CompressionTypes.Snappy,
    name: 'kafkajs-snappy',
    codecOf: (found: unknown) => found as () => Codec,
  },
  {
    type: CompressionTypes.LZ4,
    name: '@2l/kafkajs-lz4',
    codecOf: (found: unknown) => new (found as new () => { readonly codec: () => Codec })().codec,
  },
  { type: CompressionTypes.ZSTD, name: '@toondepauw/node-zstd', codecOf: (found: unknown) => zstdCodec(found as Zstd) },
] as const;

/** Register gzip and every codec that is installed: a record packed with another one ends its consumer. */
export async function registerCodecs(): Promise<void> {
  CompressionCodecs[CompressionTypes.GZIP] = () => fastGzip;
  await Promise.all(
    codecs.map(async ({ type, name, codecOf }) => {
      const found = await installed(name);
      if (found !== undefined) CompressionCodecs[type] = codecOf(found);
    }),
  );
}

/** What to do about a record that cannot be unpacked. */
export const codecAdvice = `its producer packs with a codec that is not installed here: ${codecs.map(({ name }) => name).join(', ')}`;

async function installed(name: string): Promise<unknown> {
  try {
    return ((await import(name)) as { readonly default: unknown }).default;
  } catch {
    return undefined; // its records are met with `codecAdvice`
  }
}

function zstdCodec({ Encoder, Decoder }: Zstd): () => Codec {
  return () => ({
    compress: ({ buffer }) => new Encoder(3).encode(buffer),
    decompress: (bytes) => new Decoder().decode(bytes),
  });
}

const mib = 1024 * 1024;

/** The most bytes that are held of a file at a time, unpacked: packed, they may be a thousandth of it. */
export interface Bounds {
  /** A document that is not line by line, which is read whole. */
  readonly document: number;
  /** One line of many. */
  readonly line: number;
}

/** @source house rule: what a process of the usual size holds as bytes, as text and as values */
export const fileBounds: Bounds = { document: 256 * mib, line: 64 * mib };

/** The most bytes of one entry of a ZIP file, unpacked; all of them together are a document. */
export const maxEntryBytes = 64 * mib;

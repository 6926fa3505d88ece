import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TracemillError } from '../../core/errors.ts';
import { stringifyJson } from '../../core/json.ts';
import { pushToHub } from '../../sinks/hub/push-to-hub.ts';
import { hubAccess } from '../hub-access.ts';
import { type Exit, exits, type Io } from '../io.ts';

interface Way {
  readonly pushTo: string | undefined;
  readonly tag: string | undefined;
  readonly tokenFile: string | undefined;
  readonly public: boolean;
}

/** Push a folder that a trainer wrote: weights of an adapter, its configuration, its card. */
export async function pushAdapter(paths: readonly string[], way: Way, isJson: boolean, io: Io): Promise<Exit> {
  const [folder = ''] = paths;
  if (way.pushTo === undefined) throw new TracemillError('TM_OPTIONS', 'export: an adapter is pushed: name --push-to');
  const config = await readFile(join(folder, 'adapter_config.json'), 'utf8').catch(() => undefined); // said below
  if (paths.length !== 1 || config === undefined)
    throw new TracemillError('TM_OPTIONS', `${folder}: an adapter is one folder with adapter_config.json in it`);
  const push = await pushToHub(
    folder,
    {
      repo: way.pushTo,
      type: 'model',
      isPublic: way.public,
      message: 'Push an adapter',
      ...(way.tag && { tag: way.tag }),
    },
    await hubAccess(way.tokenFile),
  );
  if (isJson) io.out(`${stringifyJson(push)}\n`);
  else io.say(`Pushed ${push.files.length} files to ${push.repo} as ${push.tag}, commit ${push.commit}.`);
  return exits.done;
}

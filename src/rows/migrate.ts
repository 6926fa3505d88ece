import { TracemillError } from '../core/errors.ts';
import { fromRow } from './from-row.ts';
import type { Row } from './row.ts';
import { knownVersions, schemaVersion, versionOf } from './row-shape.ts';
import { toRow } from './to-row.ts';

/**
 * Bring a row of any known version to the present one. A row of the present version comes back as it is.
 *
 * @throws TM_ROW - it is no object, or of a version this release does not know
 */
export function migrate(row: unknown): Row {
  const version = versionOf(row);
  if (version === schemaVersion) return row as Row; // its fields are checked where the row is read
  if (knownVersions.has(version)) return toRow(fromRow(row));
  const known = [...knownVersions].join(', ');
  throw new TracemillError('TM_ROW', `schema_version ${version} is not known; this release reads ${known}`, {
    reason: 'unknown_schema_version',
  });
}

export { TracemillError } from './core/errors.ts';

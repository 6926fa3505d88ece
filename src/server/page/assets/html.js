import htm from 'htm';
import { h } from 'preact';

/** Templates of the page. What stands in `${}` becomes a text node or a property: it is never read as HTML. */
export const html = htm.bind(h);

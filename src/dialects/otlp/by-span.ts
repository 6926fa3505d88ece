/** Values by trace and span. To find one no text is made of its two ids. */
export class BySpan<T> {
  readonly #traces = new Map<string, Map<string, T>>();

  get(trace: string, span: string): T | undefined {
    return this.#traces.get(trace)?.get(span);
  }

  set(trace: string, span: string, value: T): void {
    const spans = this.#traces.get(trace);
    if (spans) spans.set(span, value);
    else this.#traces.set(trace, new Map([[span, value]]));
  }
}

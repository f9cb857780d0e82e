const PROBE_MS = 2000;

type Listener = () => void;

/** Whether the server answers. Requests report here; while it is down a probe asks until it is back. */
class Connection {
  #up = true;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #listeners = new Set<Listener>();

  readonly subscribe = (listener: Listener): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly isUp = (): boolean => this.#up;

  answered(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#set(true);
  }

  failed(): void {
    this.#set(false);
    this.#timer ??= setTimeout(() => this.probe(), PROBE_MS);
  }

  /** Asks for the web application itself, which comes from the part that also answers the pages. */
  async probe(): Promise<boolean> {
    const response = await fetch('/', { headers: { accept: 'text/html' } }).catch(() => null);
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (response && response.status < 500) this.answered();
    else this.failed();
    return this.#up;
  }

  #set(up: boolean): void {
    if (this.#up === up) return;
    this.#up = up;
    for (const listener of this.#listeners) listener();
  }
}

export const connection = new Connection();

/** Thrown when a replica sent no first byte in time. Its late answer still counts. */
export class SilentReplica extends Error {
  override name = 'SilentReplica';

  constructor() {
    super('no first byte in time');
  }
}

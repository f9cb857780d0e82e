/** Thrown by a test file whose tests this machine cannot run: all of it counts as skipped. */
export class NotHere extends Error {
  override readonly name = 'NotHere';
}

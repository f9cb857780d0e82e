/** Thrown by a test file whose tests this machine cannot run: all of it is skipped, and the reason told. */
export class NotHere extends Error {
  override readonly name = 'NotHere';
}

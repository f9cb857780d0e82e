/** A name with the local part hidden if it is an address: j***@example.com. */
export const maskedName = (name: string): string =>
  name.replace(/[^\s@<>"'(),;:]+@/g, (local) => `${[...local][0] ?? ''}***@`);

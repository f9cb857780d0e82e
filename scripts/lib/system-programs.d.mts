type Note = (detail: string) => void;
export function findRedis(note?: Note): Promise<{ readonly file: string; readonly label: string }>;
export function findProgram(
  names: readonly string[],
  debianPackage: string,
  note?: Note,
): Promise<string | null>;

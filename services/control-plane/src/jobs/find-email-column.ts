/** Headers recognised as the address column, without case, spaces and punctuation; best first. */
const RECOGNISED = [
  'email',
  'emailaddress',
  'mail',
  'mailaddress',
  'emails',
  'emailadresse',
  'mailadresse',
  'emailid',
  'useremail',
  'contactemail',
  'customeremail',
  'primaryemail',
  'workemail',
  'courriel',
  'adresseemail',
  'adressemail',
  'correo',
  'correoelectronico',
];

/** Position of the address column: the requested one, or the best recognised; -1 for none. */
export function findEmailColumn(headers: readonly string[], wanted: string | undefined): number {
  if (wanted !== undefined) {
    const exact = headers.indexOf(wanted);
    return exact !== -1 ? exact : headers.findIndex((header) => sameName(header, wanted));
  }
  const names = headers.map(bare);
  for (const name of RECOGNISED) {
    const found = names.indexOf(name);
    if (found !== -1) return found;
  }
  return -1;
}

/** Further columns that look as if they held addresses, so that the answer can name the choice. */
export function otherEmailColumns(headers: readonly string[], taken: number): number[] {
  return headers.flatMap((header, i) => (i !== taken && RECOGNISED.includes(bare(header)) ? [i] : []));
}

const sameName = (a: string, b: string): boolean => a.trim().toLowerCase() === b.trim().toLowerCase();

const bare = (header: string): string =>
  header
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

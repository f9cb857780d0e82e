/** The mail servers of a domain, the preferred one first, and the registrable domain of that one. */
export interface MailServers {
  readonly operator: string;
  readonly hosts: readonly string[];
}

/** As verdicts, jobs and rows hold them: "example.net mx1.example.net mx2.example.net"; empty for none. */
export const mailText = ({ operator, hosts }: MailServers): string => `${operator} ${hosts.join(' ')}`;

/** Reads the text; null for none, and for text of a release that did not know them. */
export function mailOf(text: string | undefined): { operator: string; hosts: string[] } | null {
  if (!text) return null;
  const [operator = '', ...hosts] = text.split(' ');
  return { operator, hosts };
}

/** The hosts alone, with spaces between, as the step compares them with the entries of lists. */
export const hostsOf = (text: string | undefined): string => text?.slice(text.indexOf(' ') + 1) ?? '';

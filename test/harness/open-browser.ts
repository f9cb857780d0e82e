import { randomBytes } from 'node:crypto';
import { http } from '@verdict/local-stack/http.js';

export interface SignOnBody {
  readonly access?: string;
  readonly code?: string;
  readonly error?: string;
  readonly url?: string;
  readonly email?: string;
}

/** Another browser, at another address. It logs in at identity providers and comes back to `callback`. */
export function openBrowser(base: string, callback: string) {
  const ours = new Map<string, string>();
  const theirs = new Map<string, string>();
  const ip = `2001:db8:${randomBytes(2).toString('hex')}:${randomBytes(2).toString('hex')}::1`;
  const keep = (jar: Map<string, string>, lines: string | string[] | undefined) => {
    for (const line of [lines ?? []].flat()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split(/=(.*)/s);
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
  };
  const shown = (jar: Map<string, string>) => [...jar].map(([name, value]) => `${name}=${value}`).join('; ');

  async function post(path: string, json?: object) {
    const headers = { cookie: shown(ours), 'x-forwarded-for': ip };
    const answer = await http<SignOnBody>(`${base}auth/${path}`, {
      method: 'POST',
      headers,
      ...(json && { json }),
    });
    keep(ours, answer.headers['set-cookie']);
    return answer;
  }
  const start = (email: string) => post('sso/start/', { email });
  const startAsOperator = () => post('sso/operators/');
  const finish = (query: string) => post('sso/finish/', { query });

  /** Logs in at the provider, and returns the query that it sends the browser back with. */
  async function visit({ body, text }: Awaited<ReturnType<typeof post>>): Promise<string> {
    if (body.url === undefined) throw new Error(text);
    let next = body.url;
    while (!next.startsWith(callback)) {
      const page = await http(next, { headers: { cookie: shown(theirs) } });
      keep(theirs, page.headers['set-cookie']);
      if (page.headers.location === undefined) throw new Error(`${page.status} ${page.text}`);
      next = new URL(String(page.headers.location), next).href;
    }
    return new URL(next).search;
  }
  const begin = async (email: string) => visit(await start(email));
  return {
    cookies: ours,
    ...{ post, start, startAsOperator, finish, begin },
    link: (password: string) => post('sso/link/', { password }),
    logIn: async (email: string) => finish(await begin(email)),
    logInAsOperator: async () => finish(await visit(await startAsOperator())),
  };
}

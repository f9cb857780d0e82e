import { setTimeout as delay } from 'node:timers/promises';
import { type HttpAnswer, type HttpRequest, http } from '@verdict/local-stack/http.js';

export const PAUSE_AFTER_FAILURE_MS = 100;

export interface Person {
  readonly email: string;
  readonly password: string;
}

/** An answer, and whether an attempt before it was cut off, which may have done what was asked. */
export type Told<T> = HttpAnswer<T> & { readonly isRepeated: boolean };
export type Ask = <T>(path: string, request?: HttpRequest) => Promise<Told<T>>;
export type Session = ReturnType<typeof createSession>;

/** Repeats a request until it is answered: a service may be away. */
export async function asked<T>(url: () => string, request: HttpRequest): Promise<Told<T>> {
  for (let isRepeated = false; ; isRepeated = true) {
    const reply = await http<T>(url(), request).catch(() => null);
    if (reply && reply.status < 500 && reply.status !== 429) return { ...reply, isRepeated };
    await delay(PAUSE_AFTER_FAILURE_MS);
  }
}

/** A login of a person, made again when its token has ended; 401 is answered only where they may not log in any more. */
export function createSession(base: () => string, person: Person) {
  let token = '';
  const logIn = async (): Promise<boolean> => {
    const { body } = await asked<{ access?: string }>(() => `${base()}auth/jwt/create/`, { json: person });
    token = body.access ?? '';
    return token !== '';
  };
  const ask: Ask = async <T>(path: string, request: HttpRequest = {}) => {
    for (let isRepeated = false; ; ) {
      const headers = { authorization: `Bearer ${token}` };
      const told = await asked<T>(() => `${base()}${path}`, { ...request, headers });
      isRepeated ||= told.isRepeated;
      if (told.status !== 401 || !(await logIn())) return { ...told, isRepeated };
    }
  };
  return { ask };
}

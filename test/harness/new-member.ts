import { randomBytes } from 'node:crypto';
import type { Role } from '@verdict/domain/role.js';
import { http } from '@verdict/local-stack/http.js';

const PASSWORD = 'vivid-otter-harbour-9';

/** Logs somebody in with a password and returns the access token. */
export const passwordLogin = async (base: string, email: string, password: string): Promise<string> =>
  (await http<{ access: string }>(`${base}auth/jwt/create/`, { json: { email, password } })).body.access;

/** Somebody whom an owner invited, and who joined and logged in. */
export async function newMember(base: string, owner: string, role: Role) {
  const email = `${role}-${randomBytes(6).toString('hex')}@example.com`;
  const invited = await http<{ link: string }>(`${base}members/invitations/`, {
    json: { email, role },
    headers: { authorization: `Bearer ${owner}` },
  });
  const token = invited.body.link.replace('/join#token=', '');
  const joined = await http<{ user: { id: string } }>(`${base}auth/invitations/accept/`, {
    json: { token, password: PASSWORD },
  });
  return { id: joined.body.user.id, access: await passwordLogin(base, email, PASSWORD) };
}

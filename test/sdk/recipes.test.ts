import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { inRoot } from '@verdict/local-stack/paths.js';
import t, { type Test } from 'tap';
import { findProgram } from '../../scripts/lib/system-programs.mjs';

const run = promisify(execFile);
const REFUSED = 'someone@throwaway.example';
const GOOD = 'jane@example.com';

/** Verdict as its contract answers; keeps what it was asked. */
const asked: { email: string; ip?: string | null }[] = [];
const server = createServer((request, reply) => {
  let body = '';
  request.on('data', (part: Buffer) => {
    body += part;
  });
  request.on('end', () => {
    const check = JSON.parse(body) as { email: string; ip?: string | null };
    asked.push(check);
    const isBad = check.email === REFUSED;
    reply.setHeader('content-type', 'application/json');
    reply.end(
      JSON.stringify({
        success: true,
        id: 'log_01ARZ3NDEKTSV4RRFFQ69G5FAV',
        email: check.email,
        ip: check.ip ?? null,
        decision: isBad ? 'block' : 'allow',
        risk_score: isBad ? 90 : 0,
        signals: { disposable_email: isBad, mx_valid: true, free_provider: false },
        reasons: [],
        created_at: '2026-11-18T12:00:00.000000+00:00',
      }),
    );
  });
});
// A connection that ends while a request is on its way would let the refused one in.
server.keepAliveTimeout = 0;
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
t.teardown(() => {
  server.closeAllConnections();
  server.close();
});
const VERDICT = {
  VERDICT_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1/`,
  VERDICT_API_KEY: 'vrd_live_x',
};
Object.assign(process.env, VERDICT);
t.beforeEach(() => {
  asked.length = 0;
});

/** The library's side of the contract, as far as the recipes call it. */
const FIREBASE = `
export class HttpsError extends Error { constructor(code, message) { super(message); this.code = code; } }
export const beforeUserCreated = (handler) => handler;
export const beforeEmailSent = (handler) => handler;
`;

/** The client of this release with more patience: a busy machine is not the subject, and every recipe lets people in after a few seconds. */
const PATIENT = `
const { Verdict: Client } = await import('@verdict/client');
export class Verdict extends Client {
  constructor(options) { super({ ...options, timeoutMs: 60_000, deadlineMs: 120_000 }); }
}
`;

/** A recipe as a customer has it, beside the client. */
async function recipe<T>(t: Test, name: string): Promise<T> {
  const folder = t.testdir({
    'package.json': '{"type":"module"}',
    node_modules: {
      '@verdict': {
        sdk: { 'package.json': JSON.stringify({ type: 'module', exports: './sdk.js' }), 'sdk.js': PATIENT },
      },
      'firebase-functions': {
        'package.json': JSON.stringify({ type: 'module', exports: { './v2/identity': './identity.js' } }),
        'identity.js': FIREBASE,
      },
    },
  });
  symlinkSync(inRoot('packages/sdk'), join(folder, 'node_modules/@verdict/client'));
  copyFileSync(inRoot('clients/recipes', name), join(folder, name));
  return (await import(pathToFileURL(join(folder, name)).href)) as T;
}

type SignIn = (params: object) => Promise<boolean | string>;

t.test('Auth.js: every provider, a link before its mail, and nobody with an account', async (t) => {
  const { verdictSignIn } = await recipe<{ verdictSignIn: (options: object) => SignIn }>(t, 'auth-js.js');
  const signIn = verdictSignIn({ isKnown: async (email: string) => email === 'known@example.com' });
  const github = { provider: 'github', type: 'oauth', providerAccountId: '1' };
  const link = { provider: 'email', type: 'email', providerAccountId: REFUSED };
  t.equal(await signIn({ user: { email: REFUSED }, account: github, profile: {} }), '/sign-up-refused');
  t.equal(await signIn({ user: { email: GOOD }, account: github, profile: {} }), true);
  const first = { user: { email: REFUSED }, account: link, email: { verificationRequest: true } };
  t.equal(await signIn(first), '/sign-up-refused', 'before the mail');
  t.equal(asked.length, 3);
  t.equal(await signIn({ user: { email: GOOD }, account: link }), true, 'the click');
  t.equal(await signIn({ user: { email: 'known@example.com' }, account: github, profile: {} }), true);
  t.equal(asked.length, 3, 'neither costs a check');
});

t.test('Firebase: a user and a sign-in mail are refused, other mails pass', async (t) => {
  type Blocking = (event: object) => Promise<void>;
  const { verdictBeforeCreate, verdictBeforeMail } = await recipe<{
    verdictBeforeCreate: Blocking;
    verdictBeforeMail: Blocking;
  }>(t, 'firebase.js');
  const event = (email: string) => ({
    eventId: `event-${email}`,
    eventType: 'providers/cloud.auth/eventTypes/user.beforeCreate:password',
    ipAddress: '203.0.113.7',
    userAgent: 'Mozilla/5.0',
    timestamp: 'Wed, 18 Nov 2026 12:00:00 GMT',
    data: { uid: 'u1', email, emailVerified: false },
  });
  await t.rejects(verdictBeforeCreate(event(REFUSED)), {
    code: 'permission-denied',
    message: /^This address/,
  });
  await t.resolves(verdictBeforeCreate(event(GOOD)));
  t.match(asked, [{ email: REFUSED, ip: '203.0.113.7' }, { email: GOOD }]);
  await t.resolves(
    verdictBeforeCreate({ ...event(GOOD), data: { uid: 'u1', phoneNumber: '+1' } }),
    'by phone',
  );
  const mail = (emailType: string) => ({
    eventId: `mail-${emailType}`,
    ipAddress: '203.0.113.7',
    emailType,
    additionalUserInfo: { email: REFUSED },
  });
  await t.rejects(verdictBeforeMail(mail('EMAIL_SIGN_IN')), { code: 'permission-denied' });
  await t.resolves(verdictBeforeMail(mail('PASSWORD_RESET')));
  t.equal(asked.length, 3);
});

t.test('Cognito: self sign-up and federation are refused, administrators are not', async (t) => {
  const { handler } = await recipe<{ handler: (event: object) => Promise<object> }>(t, 'cognito.js');
  const event = (triggerSource: string, email: string) => ({
    version: '1',
    triggerSource,
    region: 'eu-west-1',
    userPoolId: 'eu-west-1_AbCdEf',
    userName: 'someone',
    callerContext: { awsSdkVersion: 'aws-sdk-unknown-unknown', clientId: 'client' },
    request: { userAttributes: { email }, validationData: null, clientMetadata: { ip: '203.0.113.7' } },
    response: { autoConfirmUser: false, autoVerifyEmail: false, autoVerifyPhone: false },
  });
  for (const source of ['PreSignUp_SignUp', 'PreSignUp_ExternalProvider'])
    await t.rejects(handler(event(source, REFUSED)), { message: /^This address cannot be used/ });
  const good = event('PreSignUp_SignUp', GOOD);
  t.strictSame(await handler(good), good, 'gives the event back');
  t.match(asked[2], { email: GOOD, ip: '203.0.113.7' });
  await t.resolves(handler(event('PreSignUp_AdminCreateUser', REFUSED)));
  t.equal(asked.length, 3);
});

const DJANGO = `
import functools, sys, types, verdict

verdict.Verdict = functools.partial(verdict.Verdict, timeout=60, deadline=120)

def module(name, **names):
    made = types.ModuleType(name)
    for key, value in names.items():
        setattr(made, key, value)
    sys.modules[name] = made

class ValidationError(Exception):
    pass

class DefaultAccountAdapter:
    def __init__(self, request=None):
        self.request = request
    def clean_email(self, email):
        return email

class DefaultSocialAccountAdapter:
    def __init__(self, request=None):
        self.request = request
    def is_open_for_signup(self, request, sociallogin):
        return True

for name in ("allauth", "allauth.account", "allauth.socialaccount", "django", "django.core"):
    module(name)
module("allauth.account.adapter", DefaultAccountAdapter=DefaultAccountAdapter)
module("allauth.socialaccount.adapter", DefaultSocialAccountAdapter=DefaultSocialAccountAdapter)
module("django.core.exceptions", ValidationError=ValidationError)

import django_allauth as recipe

request = types.SimpleNamespace(META={"REMOTE_ADDR": "203.0.113.7"})
adapter = recipe.VerdictAccountAdapter(request)
assert adapter.clean_email("${GOOD}") == "${GOOD}"
try:
    adapter.clean_email("${REFUSED}")
    raise SystemExit("the form took it")
except ValidationError as error:
    assert str(error).startswith("This address cannot be used"), error
social = recipe.VerdictSocialAccountAdapter(request)
login = lambda email: types.SimpleNamespace(user=types.SimpleNamespace(email=email))
assert social.is_open_for_signup(request, login("${GOOD}"))
assert not social.is_open_for_signup(request, login("${REFUSED}"))
assert social.is_open_for_signup(request, login(""))
print("held")
`;

t.test('django-allauth: the form and social sign-ups are refused', async (t) => {
  if (!(await isHere('python3'))) return t.comment('SKIPPED: python3 is not on this machine');
  const path = [inRoot('clients/python'), inRoot('clients/recipes')].join(delimiter);
  const env = { ...process.env, ...VERDICT, PYTHONPATH: path, PYTHONDONTWRITEBYTECODE: '1' };
  const { stdout } = await run('python3', ['-c', DJANGO], { env });
  t.equal(stdout.trim(), 'held');
  t.strictSame(
    asked.map(({ email, ip }) => `${email} ${ip}`),
    [GOOD, REFUSED, GOOD, REFUSED].map((email) => `${email} 203.0.113.7`),
  );
});

const RAILS = `
require '${inRoot('clients/recipes/devise.rb')}'
%i[OPEN_SECONDS READ_SECONDS].each do |name|
  VerdictSignUp.send(:remove_const, name)
  VerdictSignUp.const_set(name, 60)
end
class Errors < Array
  def add(field, message) = push([field, message])
end
class User
  def self.validate(name, on:) = (@checks ||= []) << [name, on]
  def self.checks = @checks
  include VerdictSignUp
  attr_accessor :email
  def errors = (@errors ||= Errors.new)
  def create
    self.class.checks.each { |name, on| send(name) if on == :create }
    errors.empty?
  end
end
of = ->(email) { User.new.tap { |user| user.email = email; user.verdict_ip = '203.0.113.7' } }
raise 'refused a good one' unless of.call('${GOOD}').create
bad = of.call('${REFUSED}')
raise 'took a bad one' if bad.create
raise bad.errors.inspect unless bad.errors.first.first == :email
raise 'asked about nothing' unless of.call('').create
ENV['VERDICT_URL'] = 'http://127.0.0.1:1/'
raise 'an outage cost a sign-up' unless of.call('${REFUSED}').create
puts 'held'
`;

t.test('Devise: the record does not validate', async (t) => {
  const ruby = await findProgram(['ruby'], 'ruby').catch(() => null);
  if (!ruby) return t.comment('SKIPPED: ruby is not on this machine');
  const { stdout, stderr } = await run(ruby, ['-e', RAILS], { env: { ...process.env, ...VERDICT } });
  t.equal(stdout.trim(), 'held');
  t.match(stderr, /^Verdict could not be asked: /, 'an outage is logged');
  t.match(asked, [{ email: GOOD, ip: '203.0.113.7' }, { email: REFUSED }]);
});

/** The parts of Keycloak's interfaces that the form action uses, with the signatures of their documentation. */
const KEYCLOAK: Readonly<Record<string, string>> = {
  'org/keycloak/provider/Provider.java': 'public interface Provider { void close(); }',
  'org/keycloak/models/KeycloakSession.java': 'public interface KeycloakSession {}',
  'org/keycloak/models/RealmModel.java': 'public interface RealmModel {}',
  'org/keycloak/models/UserModel.java': 'public interface UserModel {}',
  'org/keycloak/forms/login/LoginFormsProvider.java': 'public interface LoginFormsProvider {}',
  'org/keycloak/models/utils/FormMessage.java': `public class FormMessage {
    public final String field, message;
    public FormMessage(String field, String message) { this.field = field; this.message = message; } }`,
  'jakarta/ws/rs/core/MultivaluedMap.java': 'public interface MultivaluedMap<K, V> { V getFirst(K key); }',
  'org/keycloak/http/HttpRequest.java': `public interface HttpRequest {
    jakarta.ws.rs.core.MultivaluedMap<String, String> getDecodedFormParameters(); }`,
  'org/keycloak/common/ClientConnection.java':
    'public interface ClientConnection { String getRemoteAddr(); }',
  'org/keycloak/authentication/FormContext.java': `public interface FormContext {
    org.keycloak.http.HttpRequest getHttpRequest(); org.keycloak.common.ClientConnection getConnection(); }`,
  'org/keycloak/authentication/ValidationContext.java': `public interface ValidationContext extends FormContext {
    void validationError(jakarta.ws.rs.core.MultivaluedMap<String, String> data, java.util.List<org.keycloak.models.utils.FormMessage> errors);
    void error(String error); void success(); }`,
  'org/keycloak/authentication/FormAction.java': `public interface FormAction extends org.keycloak.provider.Provider {
    void buildPage(FormContext context, org.keycloak.forms.login.LoginFormsProvider form);
    void validate(ValidationContext context); void success(FormContext context); boolean requiresUser();
    boolean configuredFor(org.keycloak.models.KeycloakSession s, org.keycloak.models.RealmModel r, org.keycloak.models.UserModel u);
    void setRequiredActions(org.keycloak.models.KeycloakSession s, org.keycloak.models.RealmModel r, org.keycloak.models.UserModel u); }`,
};
const REGISTER = `
import java.util.List;
import org.keycloak.authentication.ValidationContext;
import org.keycloak.models.utils.FormMessage;
public class Register {
  public static void main(String[] emails) {
    for (String email : emails) new VerdictRegistration().validate(new ValidationContext() {
      public org.keycloak.http.HttpRequest getHttpRequest() { return () -> key -> key.equals("email") ? email : null; }
      public org.keycloak.common.ClientConnection getConnection() { return () -> "203.0.113.7"; }
      public void validationError(jakarta.ws.rs.core.MultivaluedMap<String, String> data, List<FormMessage> errors) {
        System.out.println("refused " + errors.get(0).field); }
      public void error(String error) {}
      public void success() { System.out.println("passed"); }
    });
  }
}`;

t.test('Keycloak: the registration form is refused at its address', async (t) => {
  if (!(await isHere('javac', '-version'))) return t.comment('SKIPPED: a JDK is not on this machine');
  const folder = t.testdir({});
  const files = Object.entries(KEYCLOAK).map(([file, text]) => {
    const path = join(folder, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `package ${dirname(file).replaceAll('/', '.')};\n${text}\n`);
    return path;
  });
  const own = ['VerdictRegistration.java', 'Register.java'].map((name) => join(folder, name));
  const source = readFileSync(inRoot('clients/recipes/VerdictRegistration.java'), 'utf8');
  writeFileSync(own[0] as string, source.replace(/(?<=Duration\.ofSeconds\()\d/g, '60'));
  writeFileSync(own[1] as string, REGISTER);
  await run('javac', ['-Xlint:all', '-Werror', '-d', folder, ...files, ...own]);
  const { stdout } = await run('java', ['-cp', folder, 'Register', GOOD, REFUSED, '"odd"@example.com'], {
    env: { ...process.env, ...VERDICT },
  });
  t.strictSame(stdout.trim().split('\n'), ['passed', 'refused email', 'passed']);
  t.match(asked, [{ email: GOOD, ip: '203.0.113.7' }, { email: REFUSED }, { email: '"odd"@example.com' }]);
});

t.test('every recipe is named with its document and the day it was read', async (t) => {
  const page = readFileSync(inRoot('clients/recipes/README.md'), 'utf8');
  for (const name of [
    'auth-js.js',
    'firebase.js',
    'cognito.js',
    'VerdictRegistration.java',
    'django_allauth.py',
    'devise.rb',
  ])
    t.match(page, new RegExp(`\`${name}\`.*https://`), name);
  t.match(page, /read on \d{4}-\d\d-\d\d/);
});

async function isHere(program: string, argument = '--version'): Promise<boolean> {
  return run(program, [argument]).then(
    () => true,
    () => false,
  );
}

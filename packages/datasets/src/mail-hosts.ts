import { findSelfOrParent } from './find-self-or-parent.js';

/** Hosts of paid or personal mailboxes. A front for throw-away mail does not rent its inboxes there. */
const mailboxHosts = new Map<string, string>([
  ['google.com', 'Google'],
  ['googlemail.com', 'Google'],
  ['outlook.com', 'Microsoft'],
  ['mx.microsoft', 'Microsoft'],
  ['zoho.com', 'Zoho'],
  ['zoho.eu', 'Zoho'],
  ['zoho.in', 'Zoho'],
  ['protonmail.ch', 'Proton'],
  ['messagingengine.com', 'Fastmail'],
  ['icloud.com', 'Apple'],
  ['yahoodns.net', 'Yahoo'],
  ['emailsrvr.com', 'Rackspace'],
  ['pphosted.com', 'Proofpoint'],
  ['mimecast.com', 'Mimecast'],
]);

/** Shared by honest and dishonest domains alike, so that their servers prove nothing about one domain. */
const sharedHosts = new Set([
  ...mailboxHosts.keys(),
  ...`amazonaws.com awsapps.com aliyun.com mxhichina.com qq.com 163.com cloudflare.net forwardemail.net improvmx.com
  mailgun.org sendgrid.net mxroute.com migadu.com purelymail.com titan.email hostinger.com privateemail.com
  registrar-servers.com secureserver.net ovh.net gandi.net ionos.com kundenserver.de 1and1.com strato.de one.com
  infomaniak.ch yandex.net yandex.ru mail.ru timeweb.ru beget.com barracudanetworks.com messagelabs.com
  antispamcloud.com namebrightmail.com dreamhost.com bluehost.com siteground.biz mailbox.org tutanota.de
  jellyfish.systems above.com simplelogin.co simplelogin.io anonaddy.me anonaddy.com addy.io relay.firefox.com duck.com
  iphmx.com trendmicro.com sophos.com hornetsecurity.com mailspamprotection.com hostedemail.com runbox.com
  zoho.com.au zohomail.com larksuite.com feishu.cn alibaba-inc.com mxlogic.net ppe-hosted.com`
    .trim()
    .split(/\s+/),
]);

const mailboxHostNames = new Set(mailboxHosts.keys());

/** Honest mail goes through these too: the build refuses a list of disposable mail hosts that names one. */
export function isSharedHost(host: string): boolean {
  return findSelfOrParent(host, sharedHosts) !== undefined;
}

/** Whose mailboxes the servers belong to, when every one of them is at the same known host. */
export function findMailboxHost(hosts: readonly string[]): string | undefined {
  let found: string | undefined;
  for (const host of hosts) {
    const suffix = findSelfOrParent(host, mailboxHostNames);
    const owner = suffix === undefined ? undefined : mailboxHosts.get(suffix);
    if (owner === undefined || (found !== undefined && found !== owner)) return undefined;
    found = owner;
  }
  return found;
}

import { CLIENT_USES_MAX, type ClientUse } from '@verdict/contracts/client-uses.js';
import { KEY_USES_MAX, type KeyUse, type KeyUsesReport } from '@verdict/contracts/key-uses.js';
import { networkAround } from '@verdict/domain/address/network-around.js';
import type { Caller } from '@verdict/redis-store/step.js';
import { every } from '@verdict/service-kit/every.js';

interface Options {
  readonly send: (report: KeyUsesReport) => Promise<void>;
  readonly onError: (error: unknown) => void;
  readonly everyMs?: number;
}

export type KeyUses = ReturnType<typeof createKeyUses>;

/** How one value of a key was used since the last report. */
interface Use {
  /** The last User-Agent of a check. */
  agent: string;
  /** The last Verdict client. */
  client: string | null;
  droppedIps: number;
  readonly addresses: Map<string, { requests: number }>;
}
type Uses = ReadonlyMap<Caller, Readonly<Use>>;

const SEND_EVERY_MS = 30_000;
/** Ours alone: a provider that calls a hook, or somebody's own program, says nothing about a release. */
const CLIENT = /^verdict-[a-z]{1,12}\/\d{1,3}\.\d{1,3}\.\d{1,3}(?=$| )/;

/**
 * Counts in memory from where and by which Verdict clients keys are used, and how many IPs clients left out, and reports it
 * by network. An answer costs two looks into maps.
 */
export function createKeyUses({ send, onError, everyMs = SEND_EVERY_MS }: Options) {
  let uses = new Map<Caller, Use>();
  let places = 0;

  function useOf(caller: Caller): Use | undefined {
    const known = uses.get(caller);
    if (known || uses.size >= CLIENT_USES_MAX) return known;
    const use = { agent: '', client: null, droppedIps: 0, addresses: new Map() };
    uses.set(caller, use);
    return use;
  }

  function addRequests(use: Use, address: string, requests: number): void {
    const known = use.addresses.get(address);
    if (known) known.requests += requests;
    else if (places < KEY_USES_MAX) {
      places += 1;
      use.addresses.set(address, { requests });
    }
  }

  /** Puts back what was not sent, before what came since. */
  function restore(sent: Map<Caller, Use>, sentPlaces: number): void {
    const since = uses;
    uses = sent;
    places = sentPlaces;
    for (const [caller, { agent, client, droppedIps, addresses }] of since) {
      const use = useOf(caller);
      if (!use) continue;
      use.agent = agent;
      use.client = client ?? use.client;
      use.droppedIps += droppedIps;
      for (const [address, { requests }] of addresses) addRequests(use, address, requests);
    }
  }

  async function flush(): Promise<void> {
    if (uses.size === 0) return;
    const [sent, sentPlaces] = [uses, places];
    uses = new Map();
    places = 0;
    try {
      await send({ clients: clientsOf(sent), networks: networksOf(sent) });
    } catch (error) {
      restore(sent, sentPlaces);
      throw error;
    }
  }
  const stop = every(everyMs, flush, onError);

  return {
    /** The caller is the one object that the gateway keeps of a value. `agent` is the User-Agent of a check. */
    note(caller: Caller, address: string, agent = '', droppedIps = 0): void {
      const use = useOf(caller);
      if (!use) return;
      addRequests(use, address, 1);
      use.droppedIps += droppedIps;
      if (agent === '' || agent === use.agent) return;
      use.agent = agent;
      use.client = CLIENT.exec(agent)?.[0] ?? use.client;
    },
    /** Sends what is left. */
    async close() {
      await stop();
      await flush().catch(onError);
    },
  };
}

/** One entry for each key, whichever of its values was used. */
function clientsOf(uses: Uses): ClientUse[] {
  const clients = new Map<string, ClientUse>();
  for (const [{ accountId: account_id, keyId: key_id }, { client, droppedIps }] of uses) {
    if (client === null && droppedIps === 0) continue;
    const known = clients.get(key_id);
    const dropped_ips = (known?.dropped_ips ?? 0) + droppedIps;
    clients.set(key_id, { account_id, key_id, client: client ?? known?.client ?? null, dropped_ips });
  }
  return [...clients.values()];
}

function networksOf(uses: Uses): KeyUse[] {
  const found: KeyUse[] = [];
  for (const [{ accountId, keyId, credential }, { addresses }] of uses) {
    const networks = new Map<string, number>();
    for (const [address, { requests }] of addresses) {
      const network = networkAround(address);
      if (network !== null) networks.set(network, (networks.get(network) ?? 0) + requests);
    }
    for (const [network, requests] of networks)
      found.push({ account_id: accountId, key_id: keyId, credential, network, requests });
  }
  return found;
}

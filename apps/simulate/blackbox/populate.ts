import {
  manifestOf,
  type ServicePlan,
  SERVICES,
} from "../../../simulator/world/people/Population.ts"
import type { Actor, ApiClient, RunContext } from "./ApiClient.ts"
import type { Control } from "./Control.ts"
import { CannotPlay } from "./HttpConnection.ts"
import type { Receivers } from "./receivers.ts"

/** The operator, who opens accounts and reviews verifications. */
interface Operator {
  readonly name: "operator"
  readonly key: string
}

interface Shown {
  readonly verification_id: string
  readonly status: string
}

const emailOf = (run: string, n: number): string => `planted-${run}-${n}@example.com`
const phoneOf = (n: number): string => `+1415555${String(1_000 + n)}`
const ownerOf = (run: string): string => `Ada Planted ${run}`

/** Returns the texts that payers submit, which must not be shown to anybody. */
export const secretsOf = (run: string, payers: number): ReadonlySet<string> =>
  new Set([
    ownerOf(run),
    ...Array.from({ length: payers }, (_, n) => [emailOf(run, n), phoneOf(n)]).flat(),
  ])

const verify = (client: ApiClient, who: Actor, body: object) =>
  client.post<Shown>(who, "/v1/kyc/verify", body)

const proveBasic = async (
  client: ApiClient,
  control: Control,
  who: Actor,
  run: string,
  n: number,
): Promise<void> => {
  const data = { email: emailOf(run, n), phone: phoneOf(n) }
  const opened = await verify(client, who, { agent_id: who.agent_id, level: "basic", data })
  if (opened?.status !== "pending") return
  const id = opened.verification_id
  const texts = await control.inbox(who, id)
  const otp = /\b\d{6}\b/.exec(texts.at(-1) ?? "")?.[0]
  if (otp !== undefined) await verify(client, who, { verification_id: id, otp })
}

const proveBusiness = async (
  client: ApiClient,
  operator: Operator,
  who: Actor,
  run: string,
  n: number,
): Promise<void> => {
  const data = {
    email: emailOf(run, n),
    phone: phoneOf(n),
    country: "GB",
    full_name: ownerOf(run),
    document_type: "passport",
    document_number: `QZ${1_000 + n}1234`,
    business_name: ownerOf(run),
    registration_number: `registration-${run}`,
    ubo_declaration: { full_name: ownerOf(run), ownership_pct: 75 },
  }
  const opened = await verify(client, who, { agent_id: who.agent_id, level: "business", data })
  if (opened?.status !== "pending") return
  const path = `/v1/kyc/verifications/${opened.verification_id}/review`
  await client.post(operator, path, { decision: "approve" })
}

/**
 * Verifies a payer: as a business if an operator can approve it, otherwise by the codes in the
 * sandbox's inbox. A payer that fails pays within its limits.
 */
const prove = async (
  client: ApiClient,
  control: Control,
  operator: Operator | undefined,
  who: Actor,
  run: string,
  n: number,
): Promise<void> => {
  await proveBasic(client, control, who, run, n)
  if (operator !== undefined) await proveBusiness(client, operator, who, run, n)
}

/** The keys of a run: the operator's, which opens accounts, or two accounts' keys. */
export type Keys =
  | { readonly type: "operator"; readonly admin: string }
  | { readonly type: "accounts"; readonly seller: string; readonly buyer: string }

/** The players. */
export interface People {
  readonly sellers: ReadonlyArray<Actor>
  readonly buyers: ReadonlyArray<Actor>
  /** An account that takes part in no payment; undefined if no account can be opened. */
  readonly stranger: Actor | undefined
  /** The id and seller of each service by its name in the scenario. */
  readonly services: ReadonlyMap<string, { readonly id: string; readonly seller: Actor }>
}

interface NewAccount {
  readonly agent_id: string
  readonly api_key: { readonly key: string }
}

const SELLERS = [0, 1, 2]
const BUYERS = [0, 1, 2, 3]

/** The maximum number of payers. */
export const PAYERS = BUYERS.length

const wrongKey = (what: string) =>
  new CannotPlay(`The service refuses ${what}. Look at the message above, or give another key.`)

const openAccount = async (
  client: ApiClient,
  operator: Operator,
  name: string,
  run: string,
): Promise<Actor> => {
  const kind = name.startsWith("seller") ? "seller" : "buyer"
  const body = { name: `${name} of ${run}`, kind, agent_id: `${name}-${run}`, plan: "enterprise" }
  const opened = await client.post<NewAccount>(operator, "/v1/accounts", body)
  if (opened === undefined) throw wrongKey("to open an account")
  return { name, key: opened.api_key.key, agent_id: opened.agent_id }
}

const offer = async (
  client: ApiClient,
  seller: Actor,
  plan: ServicePlan,
  run: string,
  endpoint: string,
) => {
  const body = manifestOf(plan, `${plan.name} (${run})`, endpoint)
  const path = "/v1/services"
  const made = await client.post<{ readonly id: string }>(seller, path, body)
  if (made === undefined) throw wrongKey("to register a service")
  await client.send({
    who: seller,
    method: "PATCH",
    path: `${path}/${made.id}/activate`,
    body: {},
    key: null,
  })
  return [plan.name, { id: made.id, seller }] as const
}

/** Returns the agent of a buyer whose key was given; a payment that it makes shows it. */
const agentOf = async (client: ApiClient, buyer: Actor, service_id: string): Promise<string> => {
  const body = {
    service_id,
    type: "one_time",
    amount: { currency: "USD", value: 100 },
    description: "Asks as which agent this account acts",
  }
  const path = "/v1/payment-intents"
  const made = (await client.post(buyer, path, body)) as
    | { readonly id: string; readonly payer: { readonly agent_id: string | null } }
    | undefined
  if (made?.payer.agent_id == null)
    throw wrongKey("a payment of the buyer's (is it a buyer's key?)")
  await client.post(buyer, `${path}/${made.id}/void`)
  return made.payer.agent_id
}

/** Opens the accounts and registers the services, or uses the given accounts. */
export const populate = async (
  { witness }: RunContext,
  client: ApiClient,
  control: Control,
  keys: Keys,
  run: string,
  receivers: Receivers,
): Promise<People> => {
  const operator =
    keys.type === "operator" ? ({ name: "operator", key: keys.admin } as const) : undefined
  const open = (name: string): Promise<Actor> =>
    operator === undefined
      ? Promise.reject(new Error("Nobody opens accounts here."))
      : openAccount(client, operator, name, run)
  const given = (name: string, key: string): Actor => ({ name, key, agent_id: "" })
  const sellers =
    keys.type === "operator"
      ? await Promise.all(SELLERS.map((n) => open(`seller-${n}`)))
      : SELLERS.map(() => given("seller", keys.seller))
  const services: Array<Awaited<ReturnType<typeof offer>>> = []
  for (const plan of SERVICES) {
    const seller = sellers[plan.seller]
    if (seller === undefined) throw new Error(`No seller ${plan.seller} lives here.`)
    const place = receivers.ofService(seller, plan.seller)
    services.push(await offer(client, seller, plan, run, place))
  }
  for (const [, { id }] of services) witness.service(id)
  const only = keys.type === "operator" ? undefined : given("buyer", keys.buyer)
  const agent_id = only === undefined ? "" : await agentOf(client, only, services[0]?.[1].id ?? "")
  const buyers =
    only === undefined
      ? await Promise.all(BUYERS.map((n) => open(`buyer-${n}`)))
      : BUYERS.map(() => ({ ...only, agent_id }))
  const stranger = operator === undefined ? undefined : await open("stranger")
  const proving = only === undefined ? buyers : buyers.slice(0, 1)
  for (const [n, buyer] of proving.entries()) await prove(client, control, operator, buyer, run, n)
  return { sellers, buyers, stranger, services: new Map(services) }
}

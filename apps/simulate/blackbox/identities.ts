import type { ApiClient } from "./ApiClient.ts"
import type { Actor } from "./RunContext.ts"

/** The operator, who opens accounts and reviews who people are. */
export interface Operator {
  readonly name: "operator"
  readonly key: string
}

interface Shown {
  readonly verification_id: string
  readonly status: string
}

interface Message {
  readonly text: string
}

const emailOf = (run: string, n: number): string => `planted-${run}-${n}@example.com`
const phoneOf = (n: number): string => `+1415555${String(1_000 + n)}`
const ownerOf = (run: string): string => `Ada Planted ${run}`

/** The words that payers submit, which nobody may be told. */
export const secretsOf = (run: string, payers: number): ReadonlySet<string> =>
  new Set([
    ownerOf(run),
    ...Array.from({ length: payers }, (_, n) => [emailOf(run, n), phoneOf(n)]).flat(),
  ])

const verify = (client: ApiClient, who: Actor, body: object) =>
  client.post(who, "/v1/kyc/verify", body) as Promise<Shown | undefined>

const proveBasic = async (client: ApiClient, who: Actor, run: string, n: number): Promise<void> => {
  const data = { email: emailOf(run, n), phone: phoneOf(n) }
  const opened = await verify(client, who, { agent_id: who.agent_id, level: "basic", data })
  if (opened?.status !== "pending") return
  const id = opened.verification_id
  const path = `/v1/sandbox/messages?verification_id=${id}`
  const messages = (await client.get(who, path)) as
    | { readonly data: ReadonlyArray<Message> }
    | undefined
  const otp = /\b\d{6}\b/.exec(messages?.data.at(-1)?.text ?? "")?.[0]
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
 * Has a payer prove who it is: as a business where an operator is there to approve that, else by
 * the codes that the sandbox keeps. Whoever fails pays what it may.
 */
export const prove = async (
  client: ApiClient,
  operator: Operator | undefined,
  who: Actor,
  run: string,
  n: number,
): Promise<void> => {
  await proveBasic(client, who, run, n)
  if (operator !== undefined) await proveBusiness(client, operator, who, run, n)
}

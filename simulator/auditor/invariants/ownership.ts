import { canonicalJson } from "../../../core/shared/Text.ts"
import { type Finding, type Invariant, invariant } from "../Invariant.ts"
import type { Model } from "../Model.ts"
import type { Observations } from "../Observation.ts"
import { owners } from "../Owners.ts"

declare module "../Observation.ts" {
  interface Observations {
    /** What an account is told in answer to a question. */
    readonly disclosed: { readonly account: string; readonly text: string }
    /** All records of a kind as they were committed last, and as the store has them at the end. */
    readonly kept: {
      readonly kind: string
      readonly compared: ReadonlyArray<{
        readonly id: string
        readonly was: object | null
        readonly stored: unknown
      }>
    }
  }
}

const own = (account: string, text: string, model: Model): Finding => {
  const id = model.know(owners).stranger(account, text)
  return id === undefined ? undefined : `tells ${account} of ${id}`
}

const sentToOwner = ({ body, event_id, url }: Observations["sent"], model: Model): Finding => {
  const account = model.receivers.at(url)?.account_id ?? model.accountOf(event_id)
  return account === undefined ? undefined : own(account, body, model)
}

const paymentOf = ({ account, id, status }: Observations["read"], model: Model): Finding => {
  const record = model.intents.get(id)?.record
  if (record === undefined || status === undefined) return undefined
  const parties = [record.account_id, record.payee_account_id, record.payer_account_id]
  return parties.includes(account) ? undefined : `was shown to ${account}`
}

type Fields = { readonly [field: string]: unknown }

/** Whether two records say the same, but for how often they were replaced. */
const isSame = (a: Fields, b: Fields): boolean => {
  const fields = new Set([...Object.keys(a), ...Object.keys(b)])
  fields.delete("version")
  for (const field of fields) {
    if (a[field] !== b[field] && canonicalJson(a[field]) !== canonicalJson(b[field])) return false
  }
  return true
}

const stillThere = ({ compared, kind }: Observations["kept"]): Finding => {
  for (const { id, stored, was } of compared) {
    if (was === null) {
      if (stored !== undefined) return `has ${kind} ${id}, which was removed`
    } else if (stored === undefined) return `has lost ${kind} ${id}`
    else if (!isSame(was as Fields, stored as Fields)) return `has another ${kind} ${id}`
  }
  return undefined
}

const rested = ({ intent, stored }: Observations["rest"]): Finding => {
  if (stored === undefined) return "is gone"
  const same = isSame({ ...stored }, { ...intent })
  return same ? undefined : `is stored ${stored.status} and was committed ${intent.status}`
}

/** Whose everything is, and that it is there. */
export const ownershipInvariants: ReadonlyArray<Invariant> = [
  invariant(
    26,
    "What was acknowledged is stored: every record, as it was committed last",
    "Store",
    { rest: rested, kept: stillThere },
  ),
  invariant(
    46,
    "No account is told of what is another's, in answers, lists or webhooks",
    "Authentication",
    {
      read: paymentOf,
      disclosed: ({ account, text }, model) => own(account, text, model),
      answer: ({ account, text }, model) =>
        text === undefined ? undefined : own(account, text, model),
      sent: sentToOwner,
    },
  ),
]

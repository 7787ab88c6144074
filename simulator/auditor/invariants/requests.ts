import type { Rule, Rulebook } from "../Observation.ts"
import { purchaseOf } from "../Model.ts"
import { isTerminal } from "./lifecycle.ts"

const sameAnswer: Rule<"answer"> = ({ account, key, request, text }, model) => {
  const told = model.answers.get(`${account} ${key}`)
  if (told === undefined || text === undefined || told.request !== request) return undefined
  return told.text === text ? undefined : `was answered in two ways under ${key}`
}

const oneEffect: Rule<"intent"> = ({ before, after }, model) => {
  const key = after.metadata?.["key"]
  if (before !== undefined || typeof key !== "string") return undefined
  const made = model.madeUnderKey.get(`${after.account_id} ${key}`) ?? 0
  return made === 0 ? undefined : `is the second payment under ${key}`
}

const refusesOther: Rule<"answer"> = ({ account, key, request, text }, model) => {
  const told = model.answers.get(`${account} ${key}`)
  return told === undefined || text === undefined || told.request === request
    ? undefined
    : `was answered for another request under ${key}`
}

const allEnded: Rule<"rest"> = ({ intent, refunds, requests }) => {
  if (!isTerminal(intent.flow, intent.status)) return `rests as ${intent.status}`
  const pending = refunds.find(({ status }) => status === "pending")
  if (pending !== undefined) return `leaves ${pending.id} pending`
  const open = requests.find(({ status }) => status !== "done" && status !== "refused")
  return open === undefined ? undefined : `leaves a ${open.action} ${open.status}`
}

const notBoughtAgain: Rule<"intent"> = ({ before, after, at }, model) => {
  const purchase = purchaseOf(after)
  const isOpen = after.status === "pending" || after.status === "debiting"
  if (before !== undefined || purchase === undefined || !isOpen) return undefined
  const standing = (model.purchases.get(purchase) ?? []).find((id) => {
    const record = model.intents.get(id)?.record
    return (
      record?.status === "completed" ||
      record?.status === "debiting" ||
      (record?.status === "pending" && at + model.clocksOff < record.expires_at)
    )
  })
  return standing === undefined ? undefined : `buys again what ${standing} buys`
}

/** The rules about clients' answers, and about the state at rest. */
export const requestRules: Rulebook = {
  23: { answer: sameAnswer, intent: oneEffect },
  24: { answer: refusesOther },
  52: { rest: allEnded },
  53: {
    ending: ({ where, flaw }) => (flaw === undefined ? undefined : `${where}: ${flaw}`),
  },
  54: { intent: notBoughtAgain },
}

import type { KeyInput } from "../../../../adapters/http/client/Resources.ts"
import { minorOf } from "../show/money.ts"

type Restrictions = NonNullable<KeyInput["restrictions"]>
type Budget = NonNullable<Restrictions["budget"]>

/** The typed limits of a key. */
export interface TypedLimits {
  readonly amount: string
  readonly currency: string
  readonly period: Budget["period"]
  /** The limit of one payment, in the same currency. */
  readonly most: string
  /** Days until it expires; empty for never. */
  readonly days: string
  readonly agents: string
  readonly services: string
  readonly addresses: string
}

/** Returns empty limits, except for the expiry. */
export const noLimits = (days: string): TypedLimits => ({
  amount: "",
  currency: "USD",
  period: "monthly",
  most: "",
  days,
  agents: "",
  services: "",
  addresses: "",
})

const listOf = (typed: string): ReadonlyArray<string> =>
  typed.split(/[\s,]+/).filter((word) => word !== "")

/** Returns the typed restrictions; undefined if an amount is invalid. */
export const restrictionsOf = (typed: TypedLimits, now: number): Restrictions | undefined => {
  const { amount, currency, days, most, period } = typed
  const [budget, payment] = [amount, most].map((text) => minorOf(text, currency))
  const isWrong = (text: string, value: number | undefined) =>
    text.trim() !== "" && value === undefined
  if (isWrong(amount, budget) || isWrong(most, payment)) return undefined
  const named = { agents: typed.agents, services: typed.services, addresses: typed.addresses }
  const lists = Object.entries(named).flatMap(([name, text]) =>
    listOf(text).length === 0 ? [] : [[name, listOf(text)] as const],
  )
  return {
    ...Object.fromEntries(lists),
    ...(budget !== undefined && { budget: { amount: { currency, value: budget }, period } }),
    ...(payment !== undefined && { max_amount: { currency, value: payment } }),
    ...(days !== "" && { expires_at: new Date(now + Number(days) * 86_400_000).toISOString() }),
  }
}

const PERIODS = { daily: "a day", weekly: "a week", monthly: "a month", total: "in all" } as const
const ENDS = { "1": "a day", "7": "a week", "30": "30 days", "90": "90 days", "365": "a year" }
const WORDS = { agents: "Agents", services: "Services", addresses: "Addresses" } as const

interface KeyLimitsProps {
  readonly typed: TypedLimits
  readonly onChange: (typed: TypedLimits) => void
  /** Whether it may have no expiry. */
  readonly mayStay: boolean
}

/** The fields of a key's limits. */
export const KeyLimits = ({ mayStay, onChange, typed }: KeyLimitsProps) => {
  const text = (name: keyof TypedLimits, placeholder: string) => (
    <input
      value={typed[name]}
      placeholder={placeholder}
      onInput={({ currentTarget: { value } }) => onChange({ ...typed, [name]: value })}
    />
  )
  const choice = (name: keyof TypedLimits, words: Readonly<Record<string, string>>) => (
    <select
      value={typed[name]}
      onChange={({ currentTarget: { value } }) => onChange({ ...typed, [name]: value })}
    >
      {Object.entries(words).map(([value, word]) => (
        <option key={value} value={value}>
          {word}
        </option>
      ))}
    </select>
  )
  const { currency } = typed
  return (
    <>
      <div class="inline">
        <label class="field">
          <span>Budget</span>
          {text("amount", mayStay ? "no limit" : "20.00")}
        </label>
        <label class="field">
          <span>Currency</span>
          {text("currency", "USD")}
        </label>
        <label class="field">
          <span>Period</span>
          {choice("period", PERIODS)}
        </label>
      </div>
      <div class="inline">
        <label class="field">
          <span>Most of one payment, in {currency}</span>
          {text("most", "no limit")}
        </label>
        <label class="field">
          <span>Ends after</span>
          {choice("days", mayStay ? { "": "never", ...ENDS } : ENDS)}
        </label>
      </div>
      <details>
        <summary>Only some agents, services or addresses</summary>
        <div class="form">
          {(["agents", "services", "addresses"] as const).map((name) => (
            <label key={name} class="field">
              <span>{WORDS[name]}</span>
              {text(name, "all; otherwise with commas between them")}
            </label>
          ))}
        </div>
      </details>
    </>
  )
}

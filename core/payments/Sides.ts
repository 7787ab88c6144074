import { NOBODY } from "../shared/Nobody.ts"

/** The fields that name the accounts in a payment, and in the records about one. */
export const SIDES = {
  payment_intent: ["account_id", "payee_account_id", "payer_account_id"],
  refund: ["account_id", "payee_account_id"],
  refund_request: ["account_id", "payee_account_id"],
  channel_request: ["account_id"],
} as const

/** The kinds of record that stay with their payment or go with it when an account is erased. */
export const FOLLOWERS = ["refund", "refund_request", "channel_request"] as const

/** The accounts of a record. A payment's payer may be unknown. */
interface Sides {
  readonly account_id: string
  readonly payee_account_id?: string
  readonly payer_account_id?: string | null
}

const accountsOf = ({ account_id, payee_account_id, payer_account_id }: Sides) => [
  account_id,
  payee_account_id,
  payer_account_id,
]

/** Returns whether the account is one of the record's. */
export const takesPart = (record: Sides, accountId: string): boolean =>
  accountsOf(record).includes(accountId)

/** Returns whether another account takes part, so that the payment stays without this one. */
export const isShared = (payment: Sides, accountId: string): boolean =>
  accountsOf(payment).some((side) => side != null && side !== accountId && side !== NOBODY)

/** Returns the record with nobody in the place of the account. */
export const without = <R extends Sides>(record: R, accountId: string): R => {
  const left = (side: string): string => (side === accountId ? NOBODY : side)
  const { account_id, payee_account_id, payer_account_id } = record
  return {
    ...record,
    account_id: left(account_id),
    ...(payee_account_id !== undefined && { payee_account_id: left(payee_account_id) }),
    ...(payer_account_id === accountId && { payer_account_id: null }),
  }
}

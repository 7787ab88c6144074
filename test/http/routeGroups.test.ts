import { expect, test } from "vitest"
import { sandboxRoutes } from "../../apps/payport/resources.ts"

const PAY = [
  "paymentIntents.create",
  "paymentIntents.capture",
  "paymentIntents.void",
  "paymentIntents.cancel",
  "payments.oneTime",
  "payments.attempt",
  "challenges.open",
  "challenges.redeem",
  "challenges.draw",
  "facilitator.verify",
  "facilitator.settle",
  "facilitator.pay",
  "fx.quote",
  "fx.route",
  "refundRequests.create",
  "refundRequests.withdraw",
  "subscriptions.subscribe",
  "subscriptions.cancel",
  "subscriptions.prove",
  "subscriptions.redeem",
  "invoices.pay",
  "invoices.void",
  "serviceUsage.report",
  "serviceUsage.start",
  "serviceUsage.stop",
  "ai.scanQr",
  "ai.nlpPayment",
  "ai.nlpBatch",
  "sandbox.simulate",
]
const REFUND = [
  "refunds.create",
  "refunds.ofIntent",
  "challenges.close",
  "refundRequests.approve",
  "refundRequests.decline",
]
/** Reads by another method, and what shows more than a reader may see. */
const READ = ["accessItems.introspect"]
const MANAGE = ["oauth.show", "merchant.showWebhookSecret", "sandbox.channels"]

test("a key needs what an operation does: to read, to pay, to refund, or else to manage", () => {
  const routes = [...sandboxRoutes().values()].filter(({ access }) => access === "account")
  const named = { pay: PAY, refund: REFUND, read: READ, manage: MANAGE } as const
  const groupOf = (name: string, method: string): string => {
    const [group] = Object.entries(named).find(([, names]) => names.includes(name)) ?? []
    return group ?? (method === "GET" ? "read" : "manage")
  }
  const wrong = routes.filter(({ group, method, name }) => group !== groupOf(name, method))
  expect(wrong.map(({ group, name }) => `${name} takes ${group}`)).toEqual([])
  const known = new Set(routes.map(({ name }) => name))
  expect(
    Object.values(named)
      .flat()
      .filter((name) => !known.has(name)),
  ).toEqual([])
})

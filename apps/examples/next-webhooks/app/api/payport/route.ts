import { memorySeen, respond, type WebhookEvent } from "@payport/sdk/webhooks"

const secrets = process.env["PAYPORT_WEBHOOK_SECRET"] ?? ""
// For several processes, implement `Seen` in a database.
const seen = memorySeen()
const paid: Array<string> = []

const handle = ({ data, type }: WebhookEvent) => {
  if (type === "payment_intent.succeeded") paid.push(`${data.id}: ${data.amount.value}`)
  if (type === "refund.succeeded") paid.push(`${data.payment_intent}: refunded`)
}

/** The paid payments, which `main.ts` reads. */
export const GET = (): Response => Response.json(paid)

/** Next calls this for `POST /api/payport`. */
export const POST = (request: Request) => respond(request, { secrets, seen, handle })

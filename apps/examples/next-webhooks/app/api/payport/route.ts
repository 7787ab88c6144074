import { memorySeen, respond, type WebhookEvent } from "@payport/sdk/webhooks"

const secrets = process.env["PAYPORT_WEBHOOK_SECRET"] ?? ""
// Several processes share what they have seen: see `Seen` for one that is in a database.
const seen = memorySeen()
const paid: Array<string> = []

const handle = ({ data, type }: WebhookEvent) => {
  if (type === "payment_intent.succeeded") paid.push(`${data.id}: ${data.amount.value}`)
  if (type === "refund.succeeded") paid.push(`${data.payment_intent}: refunded`)
}

/** What has been paid, for `main.ts` to look at. */
export const GET = (): Response => Response.json(paid)

/** Next calls this for `POST /api/payport`. */
export const POST = (request: Request) => respond(request, { secrets, seen, handle })

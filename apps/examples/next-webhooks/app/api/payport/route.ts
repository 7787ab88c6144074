import { memorySeen, receive, WebhookError, type WebhookEvent } from "@payport/sdk/webhooks"

// Several processes share what they have seen: see `Seen` for one that is in a database.
const seen = memorySeen()
const paid: Array<string> = []

const handle = (event: WebhookEvent) => {
  switch (event.type) {
    case "payment_intent.succeeded":
      paid.push(`${event.data.id}: ${event.data.amount.value} ${event.data.amount.currency}`)
      break
    case "refund.succeeded":
      paid.push(`${event.data.payment_intent}: refunded`)
      break
  }
}

/** What has been paid, for `main.ts` to look at. */
export const GET = (): Response => Response.json(paid)

/** Next calls this for `POST /api/payport`. */
export const POST = async (request: Request): Promise<Response> => {
  const secrets = process.env["PAYPORT_WEBHOOK_SECRET"] ?? ""
  const body = new Uint8Array(await request.arrayBuffer())
  try {
    const { status } = await receive({ headers: request.headers, body }, { secrets, seen, handle })
    return new Response(null, { status })
  } catch (error) {
    return new Response(null, { status: error instanceof WebhookError ? error.status : 500 })
  }
}

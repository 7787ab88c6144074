import { expect, test } from "vitest"
import { WebhookInbox } from "../../../apps/server/fixture/Inbox.ts"

test("an event is awaited for as long as its test lasts, where no time is too long", async () => {
  const inbox = new WebhookInbox()
  const waits = [Infinity, 2 ** 40].map((within) => inbox.next({ type: "refund.failed", within }))
  inbox.close()
  for (const wait of waits) await expect(wait).rejects.toMatchObject({ code: "stopped" })
})

import { Client } from "pg"
import { Failure, makePayport } from "payport"
import { postgres } from "payport/postgres"
import { sandbox } from "payport/sandbox"

const url = process.env["DATABASE_URL"] ?? ""
export const shop = new Client(url)
await shop.connect()
// The shop's own tables, some with the names of payport's, which are in a separate schema.
await shop.query("create table if not exists services (name text primary key, copies int)")
await shop.query("create table if not exists accounts (payment text primary key, paid boolean)")
await shop.query("insert into services values ('Attention', 1) on conflict do nothing")
await shop.query("update services set copies = 1")

const soldOut = new Failure({ code: "SERVICE_NOT_ACTIVE", message: "Sold out." })
const TAKE = `update public.services set copies = copies - 1
  where name = $1 and copies > 0 returning copies`

export const payport = await makePayport({
  store: postgres({ url }),
  channels: sandbox(),
  // 32 bytes in base64, the same at every start: what is sealed in the database belongs to it.
  secrets: { masterKey: process.env["MASTER_KEY"] ?? "" },
  // In the transaction that stores a payment: a copy is taken and a row is written, or nothing is.
  beforeCommit: {
    kinds: ["payment_intent"],
    run: async ({ records }, sql) => {
      for (const { id } of records.filter(({ op }) => op === "insert")) {
        if ((await sql(TAKE, ["Attention"])).length === 0) throw soldOut
        await sql("insert into public.accounts values ($1, false)", [id])
      }
    },
  },
  // After it, and again where it fails.
  onEvent: {
    consumer: "orders",
    handle: async ({ data, type }) => {
      if (type !== "payment_intent.succeeded") return
      await shop.query("update accounts set paid = true where payment = $1", [data["id"]])
    },
  },
})

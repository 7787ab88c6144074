import { once } from "node:events"
import type { AddressInfo } from "node:net"
import Koa from "koa"

/** The payment in every answer, with the requested id. */
const [shown = "{}"] = process.argv.slice(2)
const payment = JSON.parse(shown) as object

const app = new Koa()
app.use((context) => {
  context.body = { ...payment, id: context.path.slice(context.path.lastIndexOf("/") + 1) }
})
const server = app.listen(0, "127.0.0.1")
await once(server, "listening")
process.send?.((server.address() as AddressInfo).port)

import { serve } from "@hono/node-server"
import { getConnInfo } from "@hono/node-server/conninfo"
import type { Paywall } from "@payport/sdk/402"
import express from "express"
import { fastify } from "fastify"
import { Hono } from "hono"

const TEXT = { text: "Attention is all you need." }

/** Sells a paper in three frameworks, each on its own port. */
export const openServers = async ({ fetch, node }: Paywall) => {
  const onExpress = express().get("/paper", node, (_, response) => void response.json(TEXT))

  const onFastify = fastify().get("/paper", () => TEXT)
  onFastify.addHook("onRequest", ({ raw }, reply, next) => void node(raw, reply.raw, () => next()))
  await onFastify.listen({ port: 0 })

  // A request of the fetch API has no address. Without it, all callers have one limit together.
  const onHono = new Hono().get("/paper", (context) =>
    fetch(context.req.raw, () => Response.json(TEXT), getConnInfo(context).remote.address),
  )

  return [onExpress.listen(0), onFastify.server, serve({ fetch: onHono.fetch, port: 0 })]
}

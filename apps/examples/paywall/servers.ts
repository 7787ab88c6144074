import { serve } from "@hono/node-server"
import type { Paywall } from "@payport/sdk/402"
import express from "express"
import { fastify } from "fastify"
import { Hono } from "hono"

const TEXT = { text: "Attention is all you need." }

export const onExpress = (paywall: Paywall) =>
  express()
    .get("/paper", async ({ headers, ip, method, originalUrl }, response) => {
      const url = `http://express.example${originalUrl}`
      const verdict = await paywall.check({ method, url, headers, ...(ip && { client: ip }) })
      response.set(verdict.headers)
      if (verdict.paid) response.json(TEXT)
      else response.status(verdict.status).json(verdict.body)
    })
    .listen(0)

export const onFastify = async (paywall: Paywall) => {
  const app = fastify()
  app.get("/paper", async ({ headers, ip, method, originalUrl }, reply) => {
    const url = `http://fastify.example${originalUrl}`
    const verdict = await paywall.check({ method, url, headers, client: ip })
    return reply
      .code(verdict.paid ? 200 : verdict.status)
      .headers(verdict.headers)
      .send(verdict.paid ? TEXT : verdict.body)
  })
  await app.listen({ port: 0 })
  return app.server
}

export const onHono = (paywall: Paywall) => {
  const app = new Hono().get("/paper", async ({ req }) => {
    const verdict = await paywall.check({ method: req.method, url: req.url, headers: req.header() })
    const { headers, paid } = verdict
    return Response.json(paid ? TEXT : verdict.body, {
      status: paid ? 200 : verdict.status,
      headers,
    })
  })
  return serve({ fetch: app.fetch, port: 0 })
}

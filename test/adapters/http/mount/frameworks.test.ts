import middie from "@fastify/middie"
import express from "express"
import Fastify, { type FastifyInstance } from "fastify"
import { Hono } from "hono"
import Koa from "koa"
import mountAt from "koa-mount"
import { createRequire } from "node:module"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { Mounted } from "../../../../adapters/http/mount.ts"
import { activeService, type App, startApp } from "../../../support/app.ts"
import { Listening } from "../../../support/listening.ts"

const require = createRequire(import.meta.url)
const express4 = require("express4") as typeof express
const Koa2 = require("koa2") as typeof Koa

/** Sends a request to an app that says `the app's` at `/own`, and fails at `/broken`. */
type Send = (path: string, init?: RequestInit) => Promise<Response>

const listening = new Listening()
const stops: Array<() => Promise<unknown>> = []
let app: App
let mounted: Mounted
let service: string

beforeAll(async () => {
  app = await startApp({ sandbox: true })
  service = await activeService(app)
  mounted = app.mount({ base_url: "http://shop.test/pay" })
})
afterAll(async () => {
  await mounted.close()
  for (const stop of stops) await stop()
  await listening.close()
  await app.stop()
})

const sendTo =
  (url: string): Send =>
  (path, init) =>
    fetch(`${url}${path}`, init)

const broken = () => {
  throw new Error("of the app")
}

const ofKoa = async (Kind: typeof Koa, at: (koa: Koa) => void) => {
  const koa = new Kind()
  koa.silent = true
  at(koa)
  koa.use((ctx) => {
    if (ctx.path === "/broken") broken()
    if (ctx.path === "/own") ctx.body = "the app's"
  })
  return sendTo(await listening.open(koa.callback()))
}

const ofExpress = async (make: typeof express, at: (app: express.Express) => void) => {
  const made = make()
  at(made)
  made.get("/own", (_req, res) => void res.send("the app's"))
  made.get("/broken", broken)
  made.set("env", "test")
  return sendTo(await listening.open((req, res) => void made(req, res)))
}

const ofFastify = async (at: (app: FastifyInstance) => Promise<void>) => {
  const made = Fastify()
  await at(made)
  made.get("/own", () => "the app's")
  made.get("/broken", broken)
  stops.push(() => made.close())
  return sendTo(await made.listen({ host: "127.0.0.1", port: 0 }))
}

/** The app's own answers, in the fetch API. */
const ownOf = ({ url }: Request): Response => {
  const { pathname } = new URL(url)
  if (pathname === "/own") return new Response("the app's")
  return new Response(null, { status: pathname === "/broken" ? 500 : 404 })
}

const APPS: { readonly [name: string]: () => Promise<Send> } = {
  "Koa 3": () => ofKoa(Koa, (koa) => koa.use(mounted.koa)),
  "Koa 3 with koa-mount": () => ofKoa(Koa, (koa) => koa.use(mountAt("/pay", mounted.koa))),
  "Koa 2": () => ofKoa(Koa2, (koa) => koa.use(mounted.koa)),
  "Koa 2 with koa-mount": () => ofKoa(Koa2, (koa) => koa.use(mountAt("/pay", mounted.koa))),
  "Express 5": () => ofExpress(express, (made) => made.use(mounted.node)),
  "Express 5 at a path": () => ofExpress(express, (made) => made.use("/pay", mounted.node)),
  "Express 5 after its parser": () =>
    ofExpress(express, (made) => made.use(express.json()).use("/pay", mounted.node)),
  "Express 4 at a path": () => ofExpress(express4, (made) => made.use("/pay", mounted.node)),
  "Express 4 after its parser": () =>
    ofExpress(express4, (made) => made.use(express4.json()).use(mounted.node)),
  "Fastify with middie": () =>
    ofFastify(async (made) => {
      await made.register(middie)
      made.use("/pay", mounted.node)
    }),
  "Fastify with a route": () =>
    ofFastify(async (made) => {
      await made.register((scope: FastifyInstance, _options: object, done: () => void) => {
        scope.removeAllContentTypeParsers()
        scope.addContentTypeParser("*", (_request, _body, parsed) => parsed(null))
        scope.all("/pay/*", (request, reply) => {
          reply.hijack()
          mounted.node(request.raw, reply.raw)
        })
        done()
      })
    }),
  "Next's routes": async () => {
    // `app/pay/[...path]/route.ts` exports the same handler under the names of methods.
    const routes: { readonly [method: string]: typeof mounted.fetch } = {
      GET: mounted.fetch,
      POST: mounted.fetch,
    }
    return async (path, init = {}) => {
      const request = new Request(`http://shop.test${path}`, init)
      const route = path.startsWith("/pay/") ? routes[request.method] : undefined
      return route?.(request) ?? ownOf(request)
    }
  },
  "a worker": async () => {
    const worker = {
      fetch: (request: Request) =>
        new URL(request.url).pathname.startsWith("/pay/") ? mounted.fetch(request) : ownOf(request),
    }
    return async (path, init) => worker.fetch(new Request(`http://shop.test${path}`, init))
  },
  Hono: async () => {
    const hono = new Hono()
    hono.all("/pay/*", (c) => mounted.fetch(c.req.raw))
    hono.get("/own", (c) => c.text("the app's"))
    hono.get("/broken", broken)
    hono.onError((_error, c) => c.text("of the app", 500))
    return async (path, init) => hono.request(`http://shop.test${path}`, init)
  },
}

const intents = "/pay/v1/payment-intents"

describe.each(Object.keys(APPS))("%s", (name) => {
  let send: Send
  beforeAll(async () => {
    send = (await APPS[name]?.()) ?? expect.unreachable()
  })

  const headers = () => ({ authorization: `Bearer ${app.buyer.api_key.key}` })
  const post = (path: string, body?: object) =>
    send(path, {
      method: "POST",
      headers: { ...headers(), ...(body && { "content-type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) }),
    })

  test("takes a payment, tells of it and leaves the rest to the app", async () => {
    const amount = { currency: "USD", value: 699 }
    const order = { service_id: service, type: "one_time", amount, description: "A report" }
    const created = await post(intents, order)
    expect(created.status).toBe(201)
    const { id } = (await created.json()) as { readonly id: string }
    const events = await send(`${intents}/${id}/events`, { headers: headers() })
    const voided = await post(`${intents}/${id}/void`)
    expect(voided.status).toBe(200)
    expect(await events.text()).toMatch(/"status":"(?:pending|qr_generated)"[^]*"status":"voided"/)

    const wrong = await post(intents, {})
    expect([wrong.status, await wrong.text()]).toEqual([422, expect.stringContaining('"code"')])
    expect((await send("/pay/v1/nothing")).status).toBe(404)
    expect(await (await send("/pay/openapi.json")).json()).toMatchObject({
      servers: [{ url: "http://shop.test/pay" }],
    })
    expect(await (await send("/own")).text()).toBe("the app's")
    expect((await send("/broken")).status).toBe(500)
    expect((await send("/v1/services")).status).toBe(404)
  })
})

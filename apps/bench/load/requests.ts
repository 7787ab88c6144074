import { uuidv7 } from "uuidv7"
import type { Job } from "./Job.ts"

/** The requests of one connection: the bytes of the next one, and whether its answer is right. */
export interface Requests {
  readonly next: () => Buffer
  /** What is wrong with the answer to the last one; undefined when nothing is. */
  readonly flaw: (head: string, body: string) => string | undefined
}

const KEY = "00000000-0000-7000-8000-000000000000"
const DIGITS = 12

/** Where payments are, beneath whatever path the service has. */
const placeOf = ({ url }: Job) => {
  const { host, pathname } = new URL(url)
  return { host, path: `${pathname.replace(/\/$/, "")}/v1/payment-intents` }
}

const creations = (job: Job, sent: string): Requests => {
  const { host, path } = placeOf(job)
  const lines = [
    `POST ${path} HTTP/1.1`,
    `Host: ${host}`,
    `Authorization: Bearer ${job.key}`,
    "Content-Type: application/json",
    `Idempotency-Key: ${KEY}`,
    `Content-Length: ${Buffer.byteLength(sent)}`,
  ].join("\r\n")
  const bytes = Buffer.from(`${lines}\r\n\r\n${sent}`)
  const place = lines.indexOf(KEY)
  let current = KEY
  return {
    next: () => {
      current = uuidv7()
      bytes.write(current, place, "latin1")
      return bytes
    },
    flaw: (head, body) => {
      if (!head.startsWith("HTTP/1.1 201 ")) return "it is not 201"
      if (!head.includes(`Idempotency-Key: ${current}`)) return "it echoes another key"
      if (head.includes("Idempotent-Replayed")) return "it is a replay"
      const isIntent =
        body.includes(`"id":"pi_`) &&
        body.includes(`"status":"pending"`) &&
        body.includes(`"qr_data":`)
      return isIntent ? undefined : "it is no new payment"
    },
  }
}

const reads = (job: Job, idPrefix: string, count: number): Requests => {
  const { host, path } = placeOf(job)
  const lines = [
    `GET ${path}/${idPrefix}${"0".repeat(DIGITS)} HTTP/1.1`,
    `Host: ${host}`,
    `Authorization: Bearer ${job.key}`,
  ].join("\r\n")
  const bytes = Buffer.from(`${lines}\r\n\r\n`)
  const place = lines.indexOf(" HTTP/1.1") - DIGITS
  let digits = ""
  return {
    next: () => {
      digits = (1 + Math.floor(Math.random() * count)).toString(16).padStart(DIGITS, "0")
      bytes.write(digits, place, "latin1")
      return bytes
    },
    flaw: (head, body) => {
      if (!head.startsWith("HTTP/1.1 200 ")) return "it is not 200"
      return body.includes(`"id":"${idPrefix}${digits}"`) ? undefined : "it is another payment"
    },
  }
}

/** The requests that a connection of the job sends, one after another. */
export const requestsOf = (job: Job): Requests =>
  job.request.type === "create"
    ? creations(job, job.request.body)
    : reads(job, job.request.idPrefix, job.request.count)

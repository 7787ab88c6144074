import { memorySeen, readRawBody, receive } from "@payport/sdk/webhooks"
import { createServer } from "node:http"

export const serve = (secrets: string) => {
  const [taken, seen] = [new Array<string>(), memorySeen()]
  const handle = ({ id }: { readonly id: string }) => void taken.push(id)
  return createServer(async (request, response) => {
    if (request.method === "GET") return void response.end(JSON.stringify(taken))
    const given = { headers: request.headers, body: await readRawBody(request).catch(() => "") }
    const answer = await receive(given, { secrets, seen, handle }).catch((error) => error)
    response.writeHead(answer.status ?? 500).end()
  }).listen(0)
}

/** Asks the bank; undefined where it knows nothing of it. What it throws is an unknown outcome. */
export const bankClient =
  (url: string) =>
  async <A>(path: string, signal: AbortSignal, put?: object): Promise<A | undefined> => {
    const sent = put && { method: "PUT", body: JSON.stringify(put) }
    const answer = await fetch(url + path, { ...sent, signal })
    if (!answer.ok && answer.status !== 404) throw new Error(`The bank said ${answer.status}.`)
    return answer.ok ? ((await answer.json()) as A) : undefined
  }

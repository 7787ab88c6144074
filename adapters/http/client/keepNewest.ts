/** Sets an entry of a map, and forgets the oldest one if there are more than `most`. */
export const keepNewest = <A>(map: Map<string, A>, key: string, value: A, most: number): void => {
  map.delete(key)
  map.set(key, value)
  const [oldest] = map.size > most ? map.keys() : []
  if (oldest !== undefined) map.delete(oldest)
}

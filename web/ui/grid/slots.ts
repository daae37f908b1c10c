/**
 * Assigns elements (slots) to rows. A row keeps its element for as long as it is rendered; a row that scrolls in takes
 * the element of one that scrolled out: elements are recycled without ever replacing the focused one.
 * @param previous row index → slot, of the last rendering
 * @returns the same for `indexes`; slots are numbered from 0 without gaps at first use
 */
export function assignSlots(previous: ReadonlyMap<number, number>, indexes: readonly number[]): Map<number, number> {
  const slots = new Map<number, number>()
  const taken = new Set<number>()
  for (const index of indexes) {
    const slot = previous.get(index)
    if (slot === undefined) continue
    slots.set(index, slot)
    taken.add(slot)
  }
  let next = 0
  for (const index of indexes) {
    if (slots.has(index)) continue
    while (taken.has(next)) next += 1
    slots.set(index, next)
    taken.add(next)
  }
  return slots
}

// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest'
import { addBlocker, go, keepValue, keptValue, locationStore } from './history.ts'

const at = () => locationStore.get()

describe('going somewhere', () => {
  it('makes a new entry, or takes the place of the current one', async () => {
    const { index } = at()
    await go('/files/a/', false)
    expect(at()).toMatchObject({ pathname: '/files/a/', index: index + 1, arrival: 'push' })
    await go('/files/b/', true)
    expect(at()).toMatchObject({ pathname: '/files/b/', index: index + 1, arrival: 'replace' })
  })

  it('tells everybody who follows', async () => {
    const seen: string[] = []
    const stop = locationStore.subscribe(() => seen.push(at().pathname))
    await go('/files/c/', false)
    stop()
    await go('/files/d/', false)
    expect(seen).toEqual(['/files/c/'])
  })

  it('does not happen when a blocker says no', async () => {
    await go('/files/draft', false)
    let answer = false
    const remove = addBlocker(async () => answer)
    expect(await go('/files/', false)).toBe(false)
    expect(at().pathname).toBe('/files/draft')
    answer = true
    expect(await go('/files/', false)).toBe(true)
    remove()
    answer = false
    expect(await go('/files/e/', false)).toBe(true)
  })
})

describe('what is kept with an entry', () => {
  it('belongs to that entry alone', async () => {
    await go('/files/long/', false)
    const { id } = at()
    keepValue(id, 'scroll', 1200)
    keepValue(id, 'focus', 'a.txt')
    await go('/files/other/', false)
    expect(keptValue(at().id, 'scroll')).toBeUndefined()
    expect(keptValue(id, 'scroll')).toBe(1200)
    expect(keptValue(id, 'focus')).toBe('a.txt')
  })

  it('does not pass to another page that takes the entry over', async () => {
    await go('/files/x/', false)
    keepValue(at().id, 'scroll', 1)
    await go('/files/y/', true)
    expect(keptValue(at().id, 'scroll')).toBeUndefined()
  })
})

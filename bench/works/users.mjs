import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { alone, memoryOf, newAgent, percentile, send, under } from '../measure.mjs'
import { makeFile } from './transfers.mjs'

/** Signing in is slow on purpose; each session serves several simulated users. */
const SESSIONS = 10
/** Milliseconds of think time between requests. */
const PAUSE = 500

/** P15: many users at once; each polls, browses and sometimes downloads. */
export async function crowd({ root, servers, whole, scale }) {
  const people = whole ? 500 : Math.max(5, Math.round(100 * scale))
  const seconds = whole ? 600 : Math.max(3, Math.round(30 * scale))
  const { ours } = servers
  mkdirSync(join(root, 'shelf'), { recursive: true })
  for (let number = 0; number < 100; number++) writeFileSync(join(root, 'shelf', `${number}.txt`), 'text')
  makeFile(join(root, 'book.bin'), 4)
  const tokens = []
  for (let count = 0; count < Math.min(SESSIONS, people); count++) tokens.push(await ours.signIn())
  const [small, faults] = [[], []]
  const until = performance.now() + seconds * 1000
  const person = async number => {
    const agent = newAgent()
    const headers = { 'X-Auth': tokens[number % tokens.length] }
    await pause((PAUSE * number) / people)
    for (let step = number; performance.now() < until; step++) {
      const isLarge = step % 20 === 0
      const path = isLarge ? '/api/raw/book.bin' : PATHS[step % PATHS.length]
      const answer = await send({ url: ours.url + path, headers }, agent).catch(fault => faults.push(fault))
      if (!isLarge && answer.whole !== undefined) small.push(answer.whole)
      await pause(PAUSE)
    }
    agent.destroy()
  }
  const crowd = Promise.all(Array.from({ length: people }, (_, number) => person(number)))
  await pause(seconds * 500)
  const halfway = memoryOf(ours)
  await crowd
  const of = `${people} people for ${seconds} s`
  return [
    alone({ work: `P15 ${of}: small answers, p99`, unit: 'ms', goal: under(100, 'ms') }, percentile(small, 99)),
    alone({ work: `P15 ${of}: errors`, unit: '', goal: under(0, '') }, faults.length),
    alone(
      { work: `P15 ${of}: memory growth in the second half`, unit: 'MiB', goal: under(16, 'MiB') },
      memoryOf(ours) - halfway,
    ),
  ]
}

const PATHS = ['/api/resources/shelf/', '/api/usage/', '/api/resources/', '/health']

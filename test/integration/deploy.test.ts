import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { parse } from 'yaml'

const DEPLOY = fileURLToPath(new URL('../../deploy/', import.meta.url))
const read = (path: string) => readFileSync(DEPLOY + path, 'utf8')
const composed = (name: string) => parse(read(`compose/${name}`), { strict: true })
const COMPOSE = readdirSync(`${DEPLOY}compose`).filter(name => name.endsWith('.yaml'))

test('compose files are YAML, and extend files that exist', () => {
  const extended = COMPOSE.flatMap(name => {
    const services: { extends?: { file: string } }[] = Object.values(composed(name).services)
    return services.flatMap(service => service.extends?.file ?? [])
  })
  expect(extended.filter(name => !existsSync(`${DEPLOY}compose/${name}`))).toEqual([])
})

test('compose.yaml needs no other file, and is as closed as the others', () => {
  const { services, volumes } = composed('compose.yaml')
  const { build, image, environment, ...common } = composed('filigree.yaml').services.filigree
  expect(build).toBeDefined()
  expect(services.filigree.image).toBe(`\${FILIGREE_IMAGE:-${image}}`)
  expect(Object.keys(services.filigree.environment)).toEqual([...Object.keys(environment), 'TZ'])
  expect(services.filigree).toMatchObject(common)
  expect(Object.keys(services.filigree)).not.toContain('build')
  const named = services.filigree.volumes.map((volume: string) => volume.split(':')[0])
  expect(named).toEqual(['./files', ...Object.keys(volumes)])
})

test('the quadlet has each key once but for lists, and as closed a container as compose.yaml', () => {
  const lines = read('filigree.container')
    .split('\n')
    .filter(line => line !== '' && !line.startsWith('#'))
  const entries = lines.flatMap(line => (line.startsWith('[') ? [] : [line.split(/=(.*)/s).slice(0, 2)]))
  const keys = entries.map(([key]) => key ?? '')
  const repeated = keys.filter((key, index) => keys.indexOf(key) !== index)
  expect(repeated.filter(key => key !== 'Volume')).toEqual([])
  expect(lines.filter(line => line.startsWith('['))).toEqual(['[Unit]', '[Container]', '[Service]', '[Install]'])
  const values = Object.fromEntries(entries)
  expect(values).toMatchObject({ ReadOnly: 'true', DropCapability: 'all', NoNewPrivileges: 'true', Tmpfs: '/tmp' })
  expect(values.Image).toMatch(/^localhost\//)
})

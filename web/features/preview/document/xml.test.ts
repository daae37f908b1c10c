import { expect, test } from 'vitest'
import { attribute, opened, tokensOf } from './xml.ts'

const pieces = (xml: string) => [...tokensOf(xml)].map(({ kind, name, content }) => `${kind} ${name || content}`)

test('elements and texts are in order, without prefixes, comments and declarations', () => {
  expect(
    pieces('<?xml version="1.0"?><!DOCTYPE a><x:a b="1>2"><!-- <c> -->t &amp; &#x41;<![CDATA[<d>]]><e/></x:a>'),
  ).toEqual(['open a', 'text t & A', 'text <d>', 'open e', 'close a'])
})

test('attributes are found by name, whatever surrounds them', () => {
  const [token] = opened(`<a xlink:href='x&quot;y' data-id="2" id = "3"/>`, 'a')
  if (!token) throw new Error('no element')
  expect([attribute(token, 'href'), attribute(token, 'id'), attribute(token, 'none')]).toEqual(['x"y', '3', undefined])
})

test('unterminated constructs are skipped in linear time', () => {
  for (const piece of ['<!--', '<a', '<a "', '<![CDATA[', '<', '<a b="']) {
    let count = 0
    for (const _ of tokensOf(piece.repeat(300_000))) count += 1
    expect(count).toBeLessThan(1_200_000)
  }
})

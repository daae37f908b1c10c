/** Style sheet syntax that fetches, or could. */
const FETCHES = /url\(|image-set\(|src\(|image\(/i

/**
 * The rules of a document's style sheet, without those that fetch or that do not style elements. The result is safe
 * inside a `style` element.
 */
export function cleanRules(css: string): string {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  clean(sheet)
  const text = [...sheet.cssRules].map(rule => rule.cssText).join('\n')
  // In a string, for instance: it must not end the element.
  return text.replace(/<(?=[/!])/g, '\\3c ')
}

function clean(group: CSSStyleSheet | CSSGroupingRule | CSSStyleRule): void {
  for (let index = group.cssRules.length - 1; index >= 0; index -= 1) {
    const rule = group.cssRules[index]
    if (rule instanceof CSSStyleRule) {
      cleanDeclarations(rule.style)
      clean(rule)
    } else if (rule instanceof CSSMediaRule || rule instanceof CSSSupportsRule) clean(rule)
    else group.deleteRule(index)
  }
}

function cleanDeclarations(style: CSSStyleDeclaration): void {
  for (const name of [...style]) {
    if (FETCHES.test(style.getPropertyValue(name))) style.removeProperty(name)
  }
}

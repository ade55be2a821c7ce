// Takes over what the server has drawn, touching only what is different.

/** Makes the children of `old` like those of `fresh`, leaving alone what is the same and what a person is typing. */
export function morph(old, fresh) {
  const byKey = new Map(
    [...old.children].filter((child) => child.dataset.key).map((child) => [child.dataset.key, child]),
  );
  let place = old.firstChild;
  for (const wanted of [...fresh.childNodes]) {
    const key = wanted.dataset?.key;
    const known = key ? byKey.get(key) : undefined;
    if (known && known !== place) old.insertBefore(known, place);
    const found = known ?? (matches(place, wanted) ? place : undefined);
    if (!found) {
      old.insertBefore(wanted, place);
      continue;
    }
    place = found.nextSibling;
    if (found.isEqualNode(wanted)) continue;
    if (found.nodeType === Node.TEXT_NODE) found.data = wanted.data;
    else {
      copyAttributes(found, wanted);
      if (found.tagName !== 'TEXTAREA') morph(found, wanted);
    }
  }
  while (place) {
    const next = place.nextSibling;
    place.remove();
    place = next;
  }
}

function matches(node, wanted) {
  if (!node || node.nodeType !== wanted.nodeType || node.nodeName !== wanted.nodeName) return false;
  return node.nodeType !== Node.ELEMENT_NODE || node.dataset.key === wanted.dataset.key;
}

function copyAttributes(found, wanted) {
  const kept = found.dataset.keep === 'open' ? ['open'] : ['style'];
  for (const { name } of [...found.attributes]) {
    if (!wanted.hasAttribute(name) && !kept.includes(name)) found.removeAttribute(name);
  }
  for (const { name, value } of wanted.attributes) {
    if (found.getAttribute(name) !== value) found.setAttribute(name, value);
  }
}

// The files that a person attaches to a message.

const filesOf = (form) => [...(form.querySelector('input[type=file]')?.files ?? [])];

/** What was chosen, as it is sent. */
export function attached(form) {
  return Promise.all(
    filesOf(form).map(async (file) => {
      const bytes = new Uint8Array(await file.arrayBuffer());
      return { name: file.name, base64: btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')) };
    }),
  );
}

/** Names what is chosen now. A new drawing of the page leaves a style alone. */
export function nameFiles(form) {
  const names = filesOf(form).map(({ name }) => name);
  const { style } = form.querySelector('.attach');
  if (names.length === 0) return style.removeProperty('--chosen');
  style.setProperty('--chosen', JSON.stringify(names.length === 1 ? names[0] : `${names.length} files`));
  document.getElementById('said').textContent = `Attached: ${names.join(', ')}`;
}

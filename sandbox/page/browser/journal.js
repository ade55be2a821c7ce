// Shows the entry at which a fault was found, as soon as it turns red.

export function showFound() {
  let shown;
  const look = () => {
    const red = document.querySelector('.fact.red');
    if (red?.dataset.key !== shown) red?.scrollIntoView({ block: 'nearest' });
    shown = red?.dataset.key;
  };
  const what = { subtree: true, childList: true, attributes: true, attributeFilter: ['class'] };
  new MutationObserver(look).observe(document.getElementById('root'), what);
}

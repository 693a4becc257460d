// As with Vite: an asset that is put into the page would not be covered by its policy.
export default { base: "/astro", vite: { build: { assetsInlineLimit: 0 } } };

"""The replay viewer: ES modules and style sheets that draw frames; the site serves them, `page` inlines them."""

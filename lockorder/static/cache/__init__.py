"""Where results are kept between runs, and when they still hold."""
